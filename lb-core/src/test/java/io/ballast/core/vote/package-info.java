/** Tests of votes. */
@NullMarked
package io.ballast.core.vote;

import org.jspecify.annotations.NullMarked;
