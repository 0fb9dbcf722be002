/** Commands about the agents that report to a running balancer, and about their tokens. */
@NullMarked
package io.ballast.cli.agent;

import org.jspecify.annotations.NullMarked;
