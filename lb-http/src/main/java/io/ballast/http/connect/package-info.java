/**
 * Connections to backends, for all protocols. {@link io.ballast.http.connect.BackendConnector} opens them. {@link
 * io.ballast.http.connect.WaitingAttempts} and {@link io.ballast.http.connect.SlotQueue} keep the attempts that wait
 * for a connection.
 */
@NullMarked
package io.ballast.http.connect;

import org.jspecify.annotations.NullMarked;
