/**
 * Selects error pages. {@link io.ballast.http.errorpage.ErrorPageTable} considers where a page is configured, the
 * status of the response and the {@code Accept} header of the request.
 */
@NullMarked
package io.ballast.http.errorpage;

import org.jspecify.annotations.NullMarked;
