/**
 * The agents that report to this node, and the backends that they report. Start with
 * {@link io.ballast.agent.registry.AgentRegistry}.
 */
@NullMarked
package io.ballast.agent.registry;

import org.jspecify.annotations.NullMarked;
