/** Commands for pools and their backends. */
@NullMarked
package io.ballast.cli.pool;

import org.jspecify.annotations.NullMarked;
