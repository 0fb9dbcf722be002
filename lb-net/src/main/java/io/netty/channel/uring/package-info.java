/** Extends the Netty package with the same name, where the extensions need package-private members. */
@NullMarked
package io.netty.channel.uring;

import org.jspecify.annotations.NullMarked;
