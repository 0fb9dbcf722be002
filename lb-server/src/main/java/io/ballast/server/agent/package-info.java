/** Connects the agents that report to this node with its pools. Start with {@link io.ballast.server.agent.AgentsPart}. */
@NullMarked
package io.ballast.server.agent;

import org.jspecify.annotations.NullMarked;
