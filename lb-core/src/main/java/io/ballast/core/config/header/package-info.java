/**
 * The configuration records of header changes.
 */
@NullMarked
package io.ballast.core.config.header;

import org.jspecify.annotations.NullMarked;
