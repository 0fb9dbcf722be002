/** What Netty's own package of this name lacks; it can stand nowhere else. */
@NullMarked
package io.netty.channel.uring;

import org.jspecify.annotations.NullMarked;
