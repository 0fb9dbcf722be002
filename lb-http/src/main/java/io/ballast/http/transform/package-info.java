/**
 * Changes of backend responses: a policy edits the head in {@link ResponseEdit}, and may replace the body with a
 * {@link BodyTransform}, which writes the new body to a {@link BodyOutput}. The package {@code exchange} applies both
 * in the same way for all versions of HTTP.
 */
@NullMarked
package io.ballast.http.transform;

import org.jspecify.annotations.NullMarked;
