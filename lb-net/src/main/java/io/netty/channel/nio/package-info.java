/** Gives access to a method of Netty's own package of this name. */
@NullMarked
package io.netty.channel.nio;

import org.jspecify.annotations.NullMarked;
