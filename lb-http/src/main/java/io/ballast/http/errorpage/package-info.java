/**
 * Selects error pages by place, status and the {@code Accept} header: {@link io.ballast.http.errorpage.ErrorPageTable}.
 */
@NullMarked
package io.ballast.http.errorpage;

import org.jspecify.annotations.NullMarked;
