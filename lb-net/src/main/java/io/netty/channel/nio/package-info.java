/** Gives access to a package-private method of Netty's package of this name. */
@NullMarked
package io.netty.channel.nio;

import org.jspecify.annotations.NullMarked;
