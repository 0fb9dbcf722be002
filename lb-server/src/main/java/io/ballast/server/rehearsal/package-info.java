/**
 * A short life of the whole balancer in front of guests of its own, by which a JVM learns what an archive of classes
 * should hold: {@link io.ballast.server.rehearsal.Guests}.
 */
@NullMarked
package io.ballast.server.rehearsal;

import org.jspecify.annotations.NullMarked;
