@echo off
rem Starts Lastcard VERSION: this window shows the address and its QR code, and the browser opens.
rem Arguments are passed on: "Lastcard.bat demo" has events to try.
chcp 65001 >nul
title Lastcard VERSION
pushd "%~dp0"
if not exist "python\python.exe" (
  echo Unpack the whole zip first: right-click it, Extract all. Then start Lastcard.bat there.
  echo Pura ensin koko zip: Pura kaikki. Avaa sitten Lastcard.bat puretusta kansiosta.
  echo Packa upp hela zip-filen: Extrahera alla. Starta sedan Lastcard.bat i den mappen.
  pause
  exit /b 1
)
set PYTHONUTF8=1
"python\python.exe" -m tournament %*
if errorlevel 1 pause
popd
