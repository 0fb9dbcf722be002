/**
 * Reduces the weight of a backend whose machine is overloaded. Start with {@link io.ballast.agent.load.LoadDrain}.
 */
@NullMarked
package io.ballast.agent.load;

import org.jspecify.annotations.NullMarked;
