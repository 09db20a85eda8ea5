#!/bin/sh
# No weak symbols in the units that are compiled for one instruction set: the linker might take such a
# function, with that set's instructions, for the whole program.   check_weak_symbols.sh NM OBJECT...
nm=$1
shift
seen=0
for object in "$@"; do
  case $object in
    */enclose/*) ;;
    *) continue ;;
  esac
  seen=1
  if "$nm" -C "$object" | grep -E ' [WVu] '; then
    echo "weak symbols in $object"
    exit 1
  fi
done
[ $seen = 1 ] || { echo "no unit among the objects"; exit 1; }
