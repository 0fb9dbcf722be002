/** Extensions of Netty's package of this name that need its package-private members. */
@NullMarked
package io.netty.channel.uring;

import org.jspecify.annotations.NullMarked;
