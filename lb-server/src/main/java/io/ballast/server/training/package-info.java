/**
 * A training run: the whole balancer serves clients of its own for a short while, and a JVM learns what an archive of
 * classes should hold: {@link io.ballast.server.training.TrainingClients}.
 */
@NullMarked
package io.ballast.server.training;

import org.jspecify.annotations.NullMarked;
