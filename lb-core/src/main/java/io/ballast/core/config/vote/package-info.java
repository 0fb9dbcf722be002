/** The configuration of the votes of several nodes about a backend. */
@NullMarked
package io.ballast.core.config.vote;

import org.jspecify.annotations.NullMarked;
