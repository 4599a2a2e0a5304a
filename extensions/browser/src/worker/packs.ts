// Copyright The ctx-lsp authors. MIT licence.

// Vocabularies that the user has imported. They are stored in an extension database, which has enough space and needs
// no permission.

const database = (): Promise<IDBDatabase> =>
  new Promise((done, fail) => {
    const request = indexedDB.open('packs', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('packs');
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });

async function work<T>(mode: IDBTransactionMode, ask: (packs: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await database();
  try {
    return await new Promise<T>((done, fail) => {
      const request = ask(db.transaction('packs', mode).objectStore('packs'));
      request.onsuccess = () => done(request.result);
      request.onerror = () => fail(request.error);
    });
  } finally {
    db.close();
  }
}

export const listPacks = async (): Promise<string[]> => (await work('readonly', (p) => p.getAllKeys())).map(String);
export const readPack = (name: string): Promise<Uint8Array | undefined> =>
  work<Uint8Array | undefined>('readonly', (p) => p.get(name));
export const keepPack = (name: string, pack: Uint8Array): Promise<unknown> =>
  work('readwrite', (p) => p.put(pack, name));
export const dropPack = (name: string): Promise<unknown> => work('readwrite', (p) => p.delete(name));
