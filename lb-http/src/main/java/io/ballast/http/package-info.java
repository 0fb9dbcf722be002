/** HTTP, WebSocket, TCP and UDP: where clients come in and how backends are reached. */
@NullMarked
package io.ballast.http;

import org.jspecify.annotations.NullMarked;
