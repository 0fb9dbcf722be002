/** The configuration records that every frontend needs: TLS of listeners, limits of clients, transports and sockets. */
@NullMarked
package io.ballast.net.config;

import org.jspecify.annotations.NullMarked;
