// Copyright The ctx-lsp authors. MIT licence.

// The same for require(). Loading takes its time anyway, so the module itself is imported with it.
'use strict';

const loader = () => import('./ctx.js');

exports.load = async (source, options) => (await loader()).load(source, options);

/** Stands for the class that the loader throws, which is not there before something is loaded. */
exports.CtxError = class CtxError extends Error {
  static [Symbol.hasInstance](error) {
    return error instanceof Error && error.name === 'CtxError';
  }
};
