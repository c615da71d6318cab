//! A list that nearly always has one element, which then takes no memory of its own.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// Elements in order, as a slice.
#[derive(Clone, PartialEq)]
pub struct Few<T>(Content<T>);

#[derive(Clone, PartialEq)]
enum Content<T> {
    One(T),
    /// None, or more than one: equal lists are stored alike.
    Others(Box<[T]>),
}

impl<T: Clone> From<&[T]> for Few<T> {
    fn from(elements: &[T]) -> Self {
        Self(match elements {
            [one] => Content::One(one.clone()),
            others => Content::Others(others.into()),
        })
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Content::One(one) => std::slice::from_ref(one),
            Content::Others(others) => others,
        }
    }
}

impl<T> DerefMut for Few<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Content::One(one) => std::slice::from_mut(one),
            Content::Others(others) => others,
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Few<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn a_list_is_what_it_was_made_of() {
        for elements in [&[][..], &[1], &[1, 2]] {
            let mut few = Few::from(elements);
            assert_eq!(*few, *elements);
            few.iter_mut().for_each(|element| *element += 1);
            assert_eq!(
                few.iter().sum::<u32>(),
                elements.iter().map(|element| element + 1).sum()
            );
        }
    }
}
