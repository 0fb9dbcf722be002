/** HTTP Basic authentication (RFC 7617) with hashed passwords. */
@NullMarked
package io.ballast.policy.basic;

import org.jspecify.annotations.NullMarked;
