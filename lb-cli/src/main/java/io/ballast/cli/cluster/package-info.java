/** The commands for clusters. */
@NullMarked
package io.ballast.cli.cluster;

import org.jspecify.annotations.NullMarked;
