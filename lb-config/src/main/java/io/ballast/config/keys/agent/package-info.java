/** The keys of agents, and of the nodes to which they report. */
@NullMarked
package io.ballast.config.keys.agent;

import org.jspecify.annotations.NullMarked;
