// Copyright The ctx-lsp authors. MIT licence.

// Wine before 9 has no bcryptprimitives.dll, from which every Go program takes its random numbers. This one passes the
// question on to the function that Windows had before. mk/windows.sh builds it, for tests alone.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T left) {
  while (left > 0) {
    ULONG part = left > 0x10000000 ? 0x10000000 : (ULONG)left;
    if (!SystemFunction036(data, part)) {
      return FALSE;
    }
    data += part;
    left -= part;
  }
  return TRUE;
}
