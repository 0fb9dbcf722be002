/**
 * The agent: checks its backends, and reports them to the nodes. Start with {@link io.ballast.agent.client.Agent}, then
 * {@link io.ballast.agent.client.NodeLink}.
 */
@NullMarked
package io.ballast.agent.client;

import org.jspecify.annotations.NullMarked;
