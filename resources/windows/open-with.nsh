; Offers Longhand under "Open with" for recordings, and makes it the usual program for none of them: electron-builder's
; own `fileAssociations` would take them over.

!macro forEachKind DO
  !insertmacro ${DO} "mp3"
  !insertmacro ${DO} "mp2"
  !insertmacro ${DO} "mpga"
  !insertmacro ${DO} "m4a"
  !insertmacro ${DO} "m4b"
  !insertmacro ${DO} "m4r"
  !insertmacro ${DO} "aac"
  !insertmacro ${DO} "wav"
  !insertmacro ${DO} "wave"
  !insertmacro ${DO} "bwf"
  !insertmacro ${DO} "rf64"
  !insertmacro ${DO} "w64"
  !insertmacro ${DO} "flac"
  !insertmacro ${DO} "ogg"
  !insertmacro ${DO} "oga"
  !insertmacro ${DO} "opus"
  !insertmacro ${DO} "spx"
  !insertmacro ${DO} "weba"
  !insertmacro ${DO} "mka"
  !insertmacro ${DO} "wma"
  !insertmacro ${DO} "amr"
  !insertmacro ${DO} "awb"
  !insertmacro ${DO} "aif"
  !insertmacro ${DO} "aiff"
  !insertmacro ${DO} "aifc"
  !insertmacro ${DO} "caf"
  !insertmacro ${DO} "au"
  !insertmacro ${DO} "snd"
  !insertmacro ${DO} "ac3"
  !insertmacro ${DO} "eac3"
  !insertmacro ${DO} "wv"
  !insertmacro ${DO} "ape"
  !insertmacro ${DO} "ra"
  !insertmacro ${DO} "mp4"
  !insertmacro ${DO} "m4v"
  !insertmacro ${DO} "mov"
  !insertmacro ${DO} "qt"
  !insertmacro ${DO} "3gp"
  !insertmacro ${DO} "3g2"
  !insertmacro ${DO} "mkv"
  !insertmacro ${DO} "webm"
  !insertmacro ${DO} "ogv"
  !insertmacro ${DO} "avi"
  !insertmacro ${DO} "wmv"
  !insertmacro ${DO} "asf"
  !insertmacro ${DO} "flv"
  !insertmacro ${DO} "f4v"
  !insertmacro ${DO} "ts"
  !insertmacro ${DO} "mts"
  !insertmacro ${DO} "m2ts"
  !insertmacro ${DO} "mpg"
  !insertmacro ${DO} "mpeg"
  !insertmacro ${DO} "vob"
  !insertmacro ${DO} "rm"
  !insertmacro ${DO} "rmvb"
!macroend

!macro offerFor EXTENSION
  WriteRegNone SHELL_CONTEXT "Software\Classes\.${EXTENSION}\OpenWithProgids" "Longhand.Recording"
!macroend

!macro offerForNoMore EXTENSION
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.${EXTENSION}\OpenWithProgids" "Longhand.Recording"
!macroend

!macro tellShell
  ; SHCNE_ASSOCCHANGED
  System::Call "shell32::SHChangeNotify(i,i,i,i) (0x08000000, 0, 0, 0)"
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Longhand.Recording" "" "Recording"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Longhand.Recording\Application" "ApplicationName" "${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Longhand.Recording\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Longhand.Recording\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  !insertmacro forEachKind offerFor
  !insertmacro tellShell
!macroend

!macro customUnInstall
  !insertmacro forEachKind offerForNoMore
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Longhand.Recording"
  !insertmacro tellShell
!macroend
