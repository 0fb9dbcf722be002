@NullMarked
package io.ballast.dns.secondary;

import org.jspecify.annotations.NullMarked;
