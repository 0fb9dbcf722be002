/** A member of a cluster that a program controls by its standard input, for lb-bench/cluster. */
@NullMarked
package io.ballast.bench.cluster;

import org.jspecify.annotations.NullMarked;
