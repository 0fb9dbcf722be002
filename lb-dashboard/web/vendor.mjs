// What the page's modules may import, in one file. Everything else of these libraries is left out by the bundler.
export { render } from 'preact';
export { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
export { signal } from '@preact/signals';
import { h } from 'preact';
import htm from 'htm';
export { default as uPlot } from 'uplot';

export const html = htm.bind(h);
