/**
 * The parts of error responses: their content ({@link io.ballast.http.serving.error.ErrorContent}), their heads, and
 * the header lines that are kept when an error page replaces a backend's response.
 */
@NullMarked
package io.ballast.http.serving.error;

import org.jspecify.annotations.NullMarked;
