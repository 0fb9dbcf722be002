/** Gives access to a package-private method of the Netty package with the same name. */
@NullMarked
package io.netty.channel.nio;

import org.jspecify.annotations.NullMarked;
