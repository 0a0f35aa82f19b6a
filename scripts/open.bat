@echo off
rem Open a page in the browser to award games without a command line, as long as this window is open.
rem
rem Write your folder here, or start it with it: scripts\open.bat FOLDER
set "FOLDER=%USERPROFILE%\Bridge\desk"

if not "%~1"=="" set "FOLDER=%~1"
where /q resultproc
if errorlevel 1 goto project
resultproc open "%FOLDER%"
goto end
:project
py "%~dp0run" open "%FOLDER%"
:end
pause
