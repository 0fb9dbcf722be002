/** The configuration of agents, and of the nodes to which they report. */
@NullMarked
package io.ballast.agent.config;

import org.jspecify.annotations.NullMarked;
