/**
 * Restart without downtime: the running process starts a new process, sends it its sockets, and ends when the new
 * process serves. <ul> <li>{@link io.ballast.server.restart.Restarts}: the running process's side;
 * <li>{@link io.ballast.server.restart.TakeOver}: the new process's side; <li>{@code SuccessorWatch}: waits
 * in the replaced process for an early end of the new process;
 * <li>{@link io.ballast.server.restart.ControlSocket}: receives requests of {@code lb restart}. </ul>
 */
@NullMarked
package io.ballast.server.restart;

import org.jspecify.annotations.NullMarked;
