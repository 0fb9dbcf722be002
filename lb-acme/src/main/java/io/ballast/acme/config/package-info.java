/** The records of the key {@code acme}. */
@NullMarked
package io.ballast.acme.config;

import org.jspecify.annotations.NullMarked;
