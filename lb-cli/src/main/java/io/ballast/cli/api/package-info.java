/** The client of the API of a running balancer, and the options with which commands reach it. */
@NullMarked
package io.ballast.cli.api;

import org.jspecify.annotations.NullMarked;
