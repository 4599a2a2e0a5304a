export interface Api { readonly version: 1 }
