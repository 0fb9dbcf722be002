/**
 * A training run: the whole balancer serves its own clients for a short while, so that a JVM learns which
 * classes the class archive should contain. See {@link io.ballast.server.training.TrainingClients}.
 */
@NullMarked
package io.ballast.server.training;

import org.jspecify.annotations.NullMarked;
