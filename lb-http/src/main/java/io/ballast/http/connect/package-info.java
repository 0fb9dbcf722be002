/** Connections to backends, for all protocols: {@link io.ballast.http.connect.BackendConnector} opens them. */
@NullMarked
package io.ballast.http.connect;

import org.jspecify.annotations.NullMarked;
