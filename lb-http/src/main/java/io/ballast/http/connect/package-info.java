/**
 * Connections to backends, whatever is spoken on them: {@link io.ballast.http.connect.BackendConnector} makes them.
 */
@NullMarked
package io.ballast.http.connect;

import org.jspecify.annotations.NullMarked;
