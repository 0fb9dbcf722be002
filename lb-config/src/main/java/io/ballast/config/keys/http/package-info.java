/**
 * The keys of {@code listeners} and their routes.
 */
@NullMarked
package io.ballast.config.keys.http;

import org.jspecify.annotations.NullMarked;
