/**
 * A restart without a closed door: the process that runs starts another one, gives it its sockets, and leaves when that one
 * serves.
 *
 * <ul>
 *   <li>{@link io.ballast.server.restart.Restarts}: in the process that runs, what a restart is asked by and what it does;
 *   <li>{@link io.ballast.server.restart.TakeOver}: in the new process, the other side of it;
 *   <li>{@code SuccessorWatch}: in the process that was replaced, what becomes of it if the new one dies;
 *   <li>{@link io.ballast.server.restart.ControlSocket}: where {@code lb restart} asks.
 * </ul>
 */
@NullMarked
package io.ballast.server.restart;

import org.jspecify.annotations.NullMarked;
