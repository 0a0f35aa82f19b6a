@echo off
rem Award every game that is put into a folder, as long as this window is open.
rem
rem Write your folders here, or start it with them: scripts\watch.bat GAMES RESULTS
set "GAMES=%USERPROFILE%\Bridge\games"
set "RESULTS=%USERPROFILE%\Bridge\results"
rem To upload, too: the sites, such as bridgewebs,folder. The settings, GAMES\resultproc.toml, have to allow each.
if not defined SITES set "SITES="

if not "%~1"=="" set "GAMES=%~1"
if not "%~2"=="" set "RESULTS=%~2"
if not exist "%GAMES%" mkdir "%GAMES%"
if not exist "%RESULTS%" mkdir "%RESULTS%"
set "UPLOAD="
if defined SITES set UPLOAD=--publish "%SITES%" --settings "%GAMES%\resultproc.toml"
echo Games are awarded from %GAMES% into %RESULTS%. What is to be mended is in %RESULTS%\to-do.html.
echo Close this window to stop.
where /q resultproc
if errorlevel 1 goto project
resultproc batch "%GAMES%" -o "%RESULTS%" --to html,xlsx --index --watch 20 %UPLOAD%
goto end
:project
py "%~dp0run" batch "%GAMES%" -o "%RESULTS%" --to html,xlsx --index --watch 20 %UPLOAD%
:end
pause
