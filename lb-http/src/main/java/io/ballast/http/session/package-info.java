/**
 * What sessions of TCP and UDP have in common, which are balanced whatever is spoken in them: {@link
 * io.ballast.http.session.SessionReport} is what is counted.
 */
@NullMarked
package io.ballast.http.session;

import org.jspecify.annotations.NullMarked;
