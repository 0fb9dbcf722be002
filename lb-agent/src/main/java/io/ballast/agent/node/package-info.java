/** The HTTP API with which agents report to this node. Start with {@link io.ballast.agent.node.AgentNode}. */
@NullMarked
package io.ballast.agent.node;

import org.jspecify.annotations.NullMarked;
