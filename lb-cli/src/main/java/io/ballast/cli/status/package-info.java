/** Commands that show the state of a running balancer. */
@NullMarked
package io.ballast.cli.status;

import org.jspecify.annotations.NullMarked;
