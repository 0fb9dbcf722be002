/** How a node finds the addresses of the other nodes: names in a list, or a source such as DNS. */
@NullMarked
package io.ballast.replication.peer;

import org.jspecify.annotations.NullMarked;
