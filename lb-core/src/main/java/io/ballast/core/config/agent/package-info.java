/** The agents that may add backends to a pool. Start with {@link io.ballast.core.config.agent.PoolAgents}. */
@NullMarked
package io.ballast.core.config.agent;

import org.jspecify.annotations.NullMarked;
