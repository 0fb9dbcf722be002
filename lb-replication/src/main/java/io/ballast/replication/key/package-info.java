/** The keys of signed zones that the nodes of a cluster share. */
@NullMarked
package io.ballast.replication.key;

import org.jspecify.annotations.NullMarked;
