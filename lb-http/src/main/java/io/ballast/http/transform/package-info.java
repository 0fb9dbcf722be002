/**
 * Changes of backend responses: a policy edits the head in {@link ResponseEdit}, and may replace the body with a {@link
 * BodyTransform}, which writes the new body to a {@link BodyOutput}. An {@link AbsorbingTransform} receives the body
 * independently of the client's speed. The package {@code exchange} applies the changes in the same way for all
 * versions of HTTP.
 */
@NullMarked
package io.ballast.http.transform;

import org.jspecify.annotations.NullMarked;
