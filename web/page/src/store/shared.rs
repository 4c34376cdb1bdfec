//! A shared value compared by identity: a panel is redrawn only if its part of the state was changed.

use std::ops::Deref;
use std::rc::Rc;

pub struct Shared<T>(Rc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(self.0.clone())
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Default> Default for Shared<T> {
    fn default() -> Self {
        Shared(Rc::default())
    }
}

impl<T: Clone> Shared<T> {
    /// Returns the value for changing; holders of the old one keep it.
    pub fn change(&mut self) -> &mut T {
        Rc::make_mut(&mut self.0)
    }
}
